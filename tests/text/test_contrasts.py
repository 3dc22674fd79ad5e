"""Negations on one side, and words that exclude one another, by language."""

import pytest

from dupgroups.text.contrasts import find_contrasts, is_negated_otherwise
from dupgroups.text.facts import read_facts

NEGATED = """
    en | not ; | t ; cannot | can ; will | won't ; without | with ; legal | illegal ; united | not united
    de | nicht ; eine | keine ; nie | immer ; mit Auflagen | ohne Auflagen ; zulässig | unzulässig
    fr a parlé | n'a pas parlé ; une trace | aucune trace ; avec | sans ; recevable | irrecevable
    es abrió | no abrió ; con | sin ; algún herido | ningún herido ; constitucional | inconstitucional
    it aprirà | non aprirà ; con | senza ; una vittima | nessuna vittima ; legittimo | illegittimo
    pt virá | não virá ; com | sem ; uma vítima | nenhuma vítima ; possível | impossível
    nl | niet ; een | geen ; met | zonder ; wettig | onwettig
    ru придёт | не придёт ; есть | нет ; без | с ; законным | незаконным ; виновной | невиновной
    uk прийде | не прийде ; є | немає ; законний | незаконний
    ar شارك | لم يشارك ; سيشارك | لن يشارك ; مذنبة | غير مذنبة ; مع | بدون
    zh | 不 ; 有 | 没有 ; 已 | 未 ; 有 | 无 ; 合 | 非 ; 参加 | 拒不参加
    ja る | ない ; | なかっ ; し | せんでし ; 有 | 無 ; | 不 ; た | ず
    ko 참가했다 | 참가하지 않았다 ; 있다 | 없다 ; 가능하다 | 불가능하다 ; 위헌이다 | 위헌이 아니다
    tr açıldı | açılmadı ; bulunacak | bulunmayacak ; geliyor | gelmiyor ; yasal | yasal değil
    tr suçlu | suçsuz
    pl przyjdzie | nie przyjdzie ; z | bez ; legalny | nielegalny ; winną | niewinną
    vi tham gia | khong tham gia ; da mo | chua mo
    sv kommer | kommer inte ; möjligt | omöjligt
    cs přijde | nepřijde ; je | není ; byla | nebyla
    el θα έρθει | δεν θα έρθει
    he יבוא | לא יבוא
    fi tulee | ei tule
    hu jön | nem jön
    hi आएगा | नहीं आएगा
    id datang | tidak datang
"""
NOT_NEGATED = """
    en never | not ; not illegal | legal ; without | not ; not only | also ; the formation | the information
    de nicht | kein ; nicht nur | auch ; Unfall | Fall
    fr n'est pas | n'est jamais ; seulement | non seulement
    es sin embargo | no obstante
    ru не только | лишь ; неделю | делю
    zh 否则 | 不然 ; 很多 | 不少 ; 但 | 不过 ; 没有 | 未
    ja 必ず | きっと ; まず | 最初に ; ない | なし
    ko 뿐만 아니라 | 및 ; 않다 | 없다
    vi khong khi | bau khi
"""
CONTRASTING = """
    en hired | laid off ; rose | slid ; shut | opened ; guilty | acquitted ; northern | southern
    de gestiegen | gefallen ; öffnet | schließt ; legte zu | gab nach ; vormittags | abends
    de Einfuhren | Ausfuhren
    fr ouvrira | fermera ; grimpé | chuté ; adoptée | rejetée ; matin | soir ; au nord | au sud
    es abrirá | cerrará ; subieron | bajaron ; aprobó | rechazó ; mañana | tarde ; compró | vendió
    it aprirà | chiuderà ; salite | scese ; approvata | respinta ; nord | sud ; utile | perdita
    pt subiram | caíram ; abre | fecha ; venceu | perdeu ; lucro | prejuízo ; manhã | tarde
    nl stegen | daalden ; opent | sluit ; aangenomen | verworpen
    ru выросли | упали ; откроется | закроется ; купила | продала ; южный | северный ; импорт | экспорт
    uk зросли | впали ; відкриється | закриється
    ar ارتفعت | انخفضت ; سيفتتح | سيغلق ; وافق | رفض ; صباحا | مساء ; والصادرات | والواردات
    zh 上涨 | 下跌 ; 上 | 下 ; 开放 | 关闭 ; 上午9时 | 下午3时 ; 获胜 | 失利 ; 進口 | 出口 ; 開盤 | 收盤
    ja 上昇 | 下落 ; 前10 | 後3 ; 開館 | 閉館 ; 増え | 減っ ; 黒 | 赤 ; 可決 | 否決
    ko 올랐다 | 내렸다 ; 연다 | 닫는다 ; 유죄를 | 무죄를 ; 찬성했다 | 반대했다 ; 오전 | 오후
    tr açılacak | kapanacak ; yükseldi | düştü ; satın aldı | sattı ; kuzey | güney
    pl wzrosły | spadły ; otwiera | zamyka ; kupił | sprzedał ; przyjęto | odrzucono
    vi mo | dong ; tang nhe | giam nhe ; thong qua | bac bo ; xuat khau | nhap khau
    sv steg | föll
    cs otevře | zavře
    fi nousi | laski
    id naik | turun
    hi उत्तर | दक्षिण
"""
ALIKE = """
    en heavy | dense ; said | told ; killed | dead ; rose | climbed ; large | big ; evening | night
    en autumn | fall
    en fell from 8 to 7 | rose from 6 to 7 but then fell ; ended | suspended ; gift | venom
    de dichtem | starkem ; stieg | kletterte ; rund | etwa ; schwer | heftig
    fr a indiqué | a précisé ; soir | nuit ; mort | décédé ; entre | dans
    es señaló | indicó ; cayó | bajó ; terminó | finalizó
    it iniziato | cominciato ; fitta | densa
    pt afirmou | declarou ; recuou | caiu
    ru сообщило | заявило ; густой | плотный ; вырос | увеличился
    ar وقالت | وذكرت ; نحو | حوالي ; ارتفع | صعد
    zh 表示 | 称 ; 大约 | 约 ; 打败 | 战胜 ; 大雾 | 浓雾
    ja 述べた | 語った ; 大きな | 大きい ; 車 | 車両
    ko 말했다 | 밝혔다 ; 상승했다 | 올랐다
    tr belirtti | ifade etti ; yaklaşık | tahminen ; artık | düşük
    pl oświadczył | powiedział ; zginął | zmarł
    en sale | offer ; de Rat | Beirat ; it mai | maggio ; es para | inicia ; fr été | estivale
"""


def read_pairs(table: str) -> list[tuple[list[str], list[str]]]:
    lines = [line.strip()[2:] for line in table.splitlines() if line]
    pairs = [pair.split("|") for line in lines for pair in line.split(";")]
    return [([*read_facts(here).words], [*read_facts(there).words]) for here, there in pairs]


@pytest.mark.parametrize(("here", "there"), read_pairs(NEGATED))
def test_a_negation_on_one_side_is_found(here: list[str], there: list[str]) -> None:
    assert is_negated_otherwise(here, there)
    assert is_negated_otherwise(there, here)


@pytest.mark.parametrize(("here", "there"), read_pairs(NOT_NEGATED + CONTRASTING + ALIKE))
def test_nothing_is_negated_otherwise(here: list[str], there: list[str]) -> None:
    assert not is_negated_otherwise(here, there)
    assert not is_negated_otherwise(there, here)


@pytest.mark.parametrize(("here", "there"), read_pairs(CONTRASTING))
def test_words_that_exclude_one_another_are_found(here: list[str], there: list[str]) -> None:
    found = find_contrasts(here, there)
    assert found
    assert find_contrasts(there, here) == [(b, a) for a, b in found]


@pytest.mark.parametrize(("here", "there"), read_pairs(ALIKE))
def test_synonyms_and_false_friends_are_nothing(here: list[str], there: list[str]) -> None:
    assert find_contrasts(here, there) == []
