"""Notices in place of an article: walls of scripts, cookies and subscriptions, errors of servers.

Hundreds of pages have the same one, and are no copies of a story. A short text is a notice if most of the
telling words in it are terms of such notices.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from dupgroups.text.facts import read_facts, weight_of
from dupgroups.text.plain import fold_character

MAX_NOTICE_CHARS = 1_200
RARE_WEIGHT = 4.0  # of a word that one page of 55 has: one that a notice hardly has
MIN_SHARE = 0.37  # of the weight of the rare words that the terms have
MIN_TERMS = 2  # "EU fines a search engine over cookies" has one; a shorter text needs no more
MAX_WORDS = 6
MIN_SHARE_OF_WORDS = 0.3  # of a text in another language
MAX_PHRASE_CHARS = 200
MAX_HAN_CHARS = 300  # of a Chinese or Japanese text, with its full stop

_TERMS = """
javascript cookie cookies browser browsers adblock adblocker captcha robot robots cloudflare vpn
subscribe subscriber subscribers subscription subscriptions unlimited paywall login logged signin signup
register registered access permission server error page enable enabled disable disabled accept consent
consenting preferences privacy forbidden denied unavailable redirected reload refresh 403 404 500 502 503
partners device devices identifiers personalised personalized ads measurement audience insights
processing scanning location vendors legitimate tracking
"""
# How words of other languages begin that hardly any text but a notice has, and those that go with them.
_TELLING = """
abonne abonni aboner abonam abonēj abonat abone prenum suscri suscrí assina assine abbona předpl
predpl tilaa tilaaja előfiz berlangg langgan pelangg đăng подпис подпиш підпис підпиш передп абонир
абонам абонат συνδρο weiterl verder lukem anmeld einlog inlogg logga logge kirjau přihlá prihlá
bejele войдит авториз увійді giriş zalogu connectez accedi browser navegad navigateur przegl prohlí
prehli selaim böngés tarayı peramb trình webblä nettles браузъ браузе браузъра φυλλομ πρόγραμ
javascr cookie çerez evästei eväste куки бисквит informasjonsk süti aktivieren activer activez
aktivera aktivér aktiver habilit abilit włącz zapnět povolt käyttöön engedélyezz etkinle aktifkan
включите увімкн ενεργο datensch einwill consenti toestemm tracking adblock captcha
"""
_OTHER_STEMS = """
dang doc tiep tuc trinh duyet bat vui chap nhan
bitte veuill lire suite seguir leer leyend etmek için contin continu prosegu lendo ler leggere lezen
door gaan läsa vidare fortsät læse videre fortsæt lese jatka jatkaa czyta dalej kontyn čtení čítan
pokrač olvas tovább citi devam okuma lanjut melanj membaca đọc tiếp tục bật bruger bruker verwend
utilis utiliz použív käytäm używam haszná folosi kullan menggun gebruik artikel article articol
articul artigo artícul articolo artykuł článe članak cikk makale bài seite page página pagina sidan
siden sivu stron strán oldal sayfa halaman trang zustim stimm akzept accept acept aceit accett
godkän godta hyväks zaakcep souhlas súhlas elfogad onay kabul setuju chấp jetzt gratis kostenlos
reserv réserv exklus esclus exclus читать дальше чтобы чтение читати далі прочет четете цялата
статия статью страниц сторін примите прийміть приеме использ використ използв продолж продовж
продълж файлы файли συνέχ διαβάσ αποδοχ χρησιμ γίνετε
"""
# Likewise parts of words, of languages that do not divide them or begin them in many ways.
_TELLING_PARTS = """
订阅 登录 浏览器 启用 验证码 訂閱 登入 瀏覽器 啟用 阅读全文 閱讀全文 继续阅读 繼續閱讀 javascript
cookie 会员 購読 会員登録 会員限定 ログイン ブラウザ クッキー 続きを読む 구독 로그인 브라우저 쿠키
자바스크립트 สมัครสมาชิก เข้าสู่ระบบ เบราว์เซอร์ คุกกี้ อ่านต่อ จาวาสคริปต์ सदस्यता सब्सक्राइब ब्राउज़र कुकीज़
कुकी जावास्क्रिप्ट اشترك اشتراك مشترك تسجيل الدخول متصفح تعريف الارتباط الكوكيز سكريبت مرورگر کوکی
اسکریپت اشتراک הירשמו מנוי התחבר דפדפן עוגיות קוקיז
"""
_OTHER_PARTS = """
同意 使用 继续 繼續 本站 页面 使用し 有効 続き お読み 登録 必要 当サイト サイト してください 동의
활성화 계속 읽 회원 기사를 사용 โปรด ยอมรับ เปิดใช้งาน เว็บไซต์ เพื่อ स्वीकार सहमत सक्षम पढ़ आगे लेख पृष्ठ
कृपया उपयोग ملفات تفعيل تمكين موافق نستخدم يرجى قراءة متابعة المقال لطفا استفاده کنید برای فعال
بپذیر ادامه مطلب استفاده לקרוא להמשיך הכתבה לקבל להפעיל כמנויים
"""
# Said of a page that is not there: a headline may have each of these words.
_NOT_FOUND = """
page not found|seite nicht gefunden|seite wurde nicht gefunden|seite existiert nicht
page introuvable|page n’existe pas|page n'existe pas|página no encontrada|página no existe
pagina non trovata|pagina non esiste|página não encontrada|página não existe|pagina niet gevonden
pagina bestaat niet|sidan hittades inte|sidan finns inte|siden blev ikke fundet|siden ikke fundet
siden finnes ikke|fant ikke siden|sivua ei löyt|strona nie została znaleziona|nie znaleziono strony
stránka nebyla nalezena|stránka nenalezena|stránka sa nenašla|az oldal nem található
pagina nu a fost găsită|pagina nu există|sayfa bulunamadı|halaman tidak ditemukan
không tìm thấy trang|страница не найдена|сторінку не знайдено|страницата не е намерена
η σελίδα δεν βρέθηκε|页面不存在|页面未找到|找不到页面|找不到頁面|ページが見つかりません
페이지를 찾을 수 없습니다|ไม่พบหน้า|पृष्ठ नहीं मिला|पेज नहीं मिला|الصفحة غير موجودة
لم يتم العثور على الصفحة|صفحه یافت نشد|صفحه مورد نظر یافت نشد|העמוד לא נמצא|הדף לא נמצא
"""
_MIN_BEGINNING_CHARS = 2  # letters of a beginning
_NO_STEMS: tuple[str, ...] = ()
Stems = Mapping[str, tuple[str, ...]]
_words = re.compile(r"\w+").findall
_WORDS, _STEMS, _PARTS = (frozenset(some.split()) for some in (_TERMS, _TELLING, _TELLING_PARTS))
_PHRASES = _NOT_FOUND.strip().replace("\n", "|").split("|")
_ENGLISH = frozenset("the and of you your this".split())


def is_notice(text: str) -> bool:
    """Whether a text is a mere notice; false for an empty one.

    >>> is_notice("Please enable JavaScript and cookies in your browser to continue reading.")
    True
    >>> is_notice("Brussels fined Ashvale Data 12 million euros for setting cookies without consent.")
    False
    """
    if len(text) > MAX_NOTICE_CHARS or (len(text) > MAX_HAN_CHARS and "。" in text):
        return False
    lowered = text.lower()
    words = set(_words(lowered))
    terms = words & _WORDS
    if words.isdisjoint(_ENGLISH) and _is_foreign_notice(lowered, words):
        return True
    if not terms:
        return False
    facts = read_facts(text)
    weights = (weight_of(token) for token in {*facts.tokens} - terms if token[0] != "#")
    own = sum(weight for weight in weights if weight >= RARE_WEIGHT)
    weight = sum(map(weight_of, terms))
    return weight >= MIN_SHARE * (weight + own) and (len(terms) >= MIN_TERMS or len(facts.words) <= MAX_WORDS)


def _is_foreign_notice(text: str, words: set[str]) -> bool:
    """Likewise of a text in another language than English, of which the list of news words knows little."""
    letters = set(text)  # most terms begin with a letter that the text does not have
    if len(text) <= MAX_PHRASE_CHARS and any(some in text for some in _PHRASES if some[0] in letters):
        return True
    has_part = any(part[0] in letters and part in text for part in _PARTS)
    begins = (
        words if not _telling().keys().isdisjoint({word[:_MIN_BEGINNING_CHARS] for word in words}) else ()
    )
    if not has_part and not any(_begins(word, _telling()) for word in begins):
        return False
    facts, (stems, parts) = read_facts(text), _folded_terms()
    if facts.is_single:
        terms = sum(map(len, _any_part().findall("".join(facts.words))))
    else:
        joined = "\n".join(facts.words)
        there = [part for part in parts if part in joined]
        terms = sum(_begins(word, stems) or any(part in word for part in there) for word in facts.words)
    few = terms >= MIN_TERMS or len(facts.words) <= MAX_WORDS
    return few and terms >= MIN_SHARE_OF_WORDS * len(facts.words)


def _begins(word: str, stems: Stems) -> bool:
    return word.startswith(stems.get(word[:_MIN_BEGINNING_CHARS], _NO_STEMS))


def _by_start(stems: Iterable[str]) -> Stems:
    """The beginnings of words by their first letters: most words begin with none of these."""
    found: dict[str, tuple[str, ...]] = {}
    for stem in stems:
        found[stem[:_MIN_BEGINNING_CHARS]] = (*found.get(stem[:_MIN_BEGINNING_CHARS], _NO_STEMS), stem)
    return found


@cache
def _telling() -> Stems:
    return _by_start(_STEMS)


@cache
def _folded_terms() -> tuple[Stems, frozenset[str]]:
    """All beginnings and all parts, in the form of the words of facts."""
    some = ([*_STEMS, *_OTHER_STEMS.split()], [*_PARTS, *_OTHER_PARTS.split()])
    stems, parts = (frozenset("".join(map(fold_character, term)) for term in terms) for terms in some)
    return _by_start(stems), parts


@cache
def _any_part() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_folded_terms()[1], key=len, reverse=True)))
