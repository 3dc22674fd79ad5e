"""Notices in place of an article, and short news that share their terms."""

import pytest

from dupgroups.text.notices import MAX_NOTICE_CHARS, is_notice

WALL = "Please enable JavaScript and cookies in your browser to continue reading."


@pytest.mark.parametrize(
    "text",
    [
        WALL,
        "This article is for subscribers only. Subscribe now for unlimited access, or log in.",
        "403 Forbidden. You have no permission to access this page on this server.",
        "Are you a robot? Please solve the captcha to go on.",
        "Bitte aktivieren Sie JavaScript in Ihrem Browser, oder melden Sie sich mit Ihrem Abonnement an.",
        "Activez JavaScript dans votre navigateur et acceptez les cookies.",
        "请登录并订阅后继续阅读全文。",
        "Подписка для подписчиков: войдите, чтобы читать дальше.",
    ],
)
def test_walls_and_errors_are_notices(text: str) -> None:
    assert is_notice(text)


# enable JavaScript, accept cookies, subscribe to read on, page not found
NOTICES = {
    "de": (
        "Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.|Wir verwenden Cookies. Bitte stimmen Sie "
        "der Verwendung von Cookies zu.|Jetzt abonnieren und weiterlesen.|Die gesuchte Seite wurde nicht "
        "gefunden."
    ),
    "fr": (
        "Veuillez activer JavaScript pour continuer.|Ce site utilise des cookies. Acceptez les cookies pour "
        "continuer votre navigation.|Abonnez-vous pour lire la suite.|Oups ! Page introuvable."
    ),
    "es": (
        "Active JavaScript en su navegador para continuar.|Este sitio usa cookies. Acepta las cookies para "
        "seguir navegando.|Suscríbete para seguir leyendo.|Lo sentimos, página no encontrada."
    ),
    "it": (
        "Abilita JavaScript nel browser per continuare.|Questo sito utilizza i cookie. Accetta i cookie per "
        "proseguire la navigazione.|Abbonati per continuare a leggere.|Spiacenti, pagina non trovata."
    ),
    "pt": (
        "Ative o JavaScript no seu navegador.|Este site usa cookies. Aceite os cookies para continuar a "
        "navegação.|Assine para continuar lendo.|Erro: página não encontrada."
    ),
    "nl": (
        "Schakel JavaScript in uw browser in.|Deze site gebruikt cookies. Accepteer cookies om door te "
        "gaan.|Neem een abonnement om verder te lezen.|Helaas, pagina niet gevonden."
    ),
    "sv": (
        "Aktivera JavaScript i din webbläsare.|Vi använder cookies. Godkänn cookies för att "
        "fortsätta.|Prenumerera för att läsa vidare.|Sidan hittades inte."
    ),
    "da": (
        "Aktivér JavaScript i din browser.|Vi bruger cookies. Accepter cookies for at fortsætte.|Køb "
        "abonnement for at læse videre.|Siden blev ikke fundet."
    ),
    "no": (
        "Aktiver JavaScript i nettleseren.|Vi bruker informasjonskapsler. Godta cookies for å fortsette.|Bli "
        "abonnent for å lese videre.|Beklager, siden finnes ikke."
    ),
    "fi": (
        "Ota JavaScript käyttöön selaimessa.|Käytämme evästeitä. Hyväksy evästeet ja jatka.|Tilaa lehti ja "
        "jatka lukemista.|Sivua ei löytynyt."
    ),
    "pl": (
        "Włącz JavaScript w przeglądarce.|Używamy plików cookie. Zaakceptuj cookies, aby kontynuować.|Wykup "
        "prenumeratę, aby czytać dalej.|Strona nie została znaleziona."
    ),
    "cs": (
        "Zapněte JavaScript v prohlížeči.|Používáme soubory cookie. Souhlasíte s cookies?|Pokračujte ve "
        "čtení s předplatným.|Stránka nebyla nalezena."
    ),
    "sk": (
        "Povoľte JavaScript v prehliadači.|Používame súbory cookie. Súhlasíte s cookies?|Pokračujte v čítaní "
        "s predplatným.|Stránka sa nenašla."
    ),
    "hu": (
        "Engedélyezze a JavaScript futtatását a böngészőben.|Sütiket (cookie) használunk. Elfogadom a "
        "cookie-kat.|Fizessen elő, és olvassa tovább előfizetőként.|Az oldal nem található."
    ),
    "ro": (
        "Activați JavaScript în browser.|Folosim cookie-uri. Acceptați cookie-urile pentru a "
        "continua.|Abonează-te pentru a citi în continuare.|Pagina nu a fost găsită."
    ),
    "tr": (
        "Tarayıcınızda JavaScript'i etkinleştirin.|Çerez kullanıyoruz. Devam etmek için çerezleri kabul "
        "edin.|Okumaya devam etmek için abone olun.|Sayfa bulunamadı."
    ),
    "id": (
        "Aktifkan JavaScript di peramban Anda.|Kami menggunakan cookie. Setujui cookie untuk "
        "melanjutkan.|Berlangganan untuk lanjut membaca.|Halaman tidak ditemukan."
    ),
    "vi": (
        "Vui lòng bật JavaScript trong trình duyệt.|Trang dùng cookie. Chấp nhận cookie để tiếp tục.|Đăng ký "
        "để đọc tiếp.|Không tìm thấy trang."
    ),
    "ru": (
        "Включите JavaScript в браузере.|Мы используем файлы cookie. Примите cookie, чтобы "
        "продолжить.|Оформите подписку, чтобы читать дальше.|Страница не найдена."
    ),
    "uk": (
        "Увімкніть JavaScript у браузері.|Ми використовуємо файли cookie. Прийміть cookie, щоб "
        "продовжити.|Оформіть підписку, щоб читати далі.|Сторінку не знайдено."
    ),
    "bg": (
        "Включете JavaScript в браузъра.|Използваме бисквитки. Приемете бисквитките, за да "
        "продължите.|Абонирайте се, за да прочетете цялата статия.|Страницата не е намерена."
    ),
    "el": (
        "Ενεργοποιήστε τη JavaScript στον φυλλομετρητή.|Χρησιμοποιούμε cookies. Αποδοχή των cookies για "
        "συνέχεια.|Γίνετε συνδρομητής για να διαβάσετε τη συνέχεια.|Η σελίδα δεν βρέθηκε."
    ),
    "ar": (
        "يرجى تفعيل جافا سكريبت في المتصفح.|نستخدم ملفات تعريف الارتباط. هل أنت موافق؟|اشترك لمتابعة "
        "القراءة.|الصفحة غير موجودة."
    ),
    "fa": (
        "لطفا جاوا اسکریپت را در مرورگر فعال کنید.|ما از کوکی استفاده می‌کنیم. کوکی‌ها را بپذیرید.|برای "
        "ادامه مطلب اشتراک بخرید.|صفحه یافت نشد."
    ),
    "he": (
        "יש להפעיל JavaScript בדפדפן.|האתר משתמש בעוגיות. נא לקבל את העוגיות.|הירשמו כמנויים כדי להמשיך "
        "לקרוא.|העמוד לא נמצא."
    ),
    "hi": (
        "कृपया अपने ब्राउज़र में जावास्क्रिप्ट सक्षम करें।|हम कुकीज़ का उपयोग करते हैं। कुकीज़ स्वीकार "
        "करें।|आगे पढ़ने के लिए सदस्यता लें।|पृष्ठ नहीं मिला।"
    ),
    "ja": (
        "ブラウザのJavaScriptを有効にしてください。|"
        "当サイトはクッキーを使用します。同意してください。|"
        "続きを読むには会員登録が必要です。|"
        "ページが見つかりません。"
    ),
    "ko": (
        "브라우저에서 자바스크립트를 활성화하세요.|"
        "쿠키를 사용합니다. 쿠키에 동의해 주세요.|"
        "구독하고 기사를 계속 읽으세요.|"
        "페이지를 찾을 수 없습니다."
    ),
    "zh": (
        "请在浏览器中启用JavaScript。|"
        "本站使用Cookie。请同意使用Cookie。|"
        "订阅会员后继续阅读全文。|"
        "页面不存在。"
    ),
    "th": ("โปรดเปิดใช้งานจาวาสคริปต์ในเบราว์เซอร์|เว็บไซต์นี้ใช้คุกกี้ โปรดยอมรับคุกกี้|สมัครสมาชิกเพื่ออ่านต่อ|ไม่พบหน้าที่คุณค้นหา"),
}


@pytest.mark.parametrize("language", NOTICES)
def test_notices_of_many_languages(language: str) -> None:
    missed = [text for text in NOTICES[language].split("|") if not is_notice(text)]
    assert not missed


FOREIGN_NEWS = (
    "Leiche im Hafen gefunden.",
    "Le navigateur Hervé Morvan a bouclé son tour du monde en solitaire mardi soir à Brest.",
    "El ayuntamiento de Villaseca aceptó la oferta de la empresa y seguirá con las obras del puente.",
    "Abonnentenzahl der Zeitung aus Vellmar steigt auf 40000, teilte der Verlag Ostrand am Montag mit.",
    "Совет директоров компании «Остранд» принял решение продолжить строительство завода в Велмаре.",
    "Ostrand wprowadza w Velmarze nową prenumeratę cyfrową za 20 koron, poinformowała spółka w piątek.",
    "東京地裁は4日、オストランド社に会員情報の流出で3億円の賠償を命じた。",
    "오스트란드는 4일 벨마르 공장의 구독형 서비스를 내년 3월까지 중단한다고 밝혔다.",
    "奥斯特兰德公司周一宣布，其浏览器业务以四亿元出售给远山集团，会员服务不受影响。",
    "أعلنت شركة أوستراند يوم الاثنين أن عدد المشتركين في خدمتها بلغ أربعة ملايين في مدينة فلمار.",
    "वेलमार के मेयर ने सोमवार को कहा कि नया पुल अगले महीने खुलेगा और लेख के आरोप गलत हैं।",
)


@pytest.mark.parametrize(
    "text",
    [
        *("", *FOREIGN_NEWS),
        "Two people are missing after a ferry struck a barge off Vellmar.",
        "Brussels fined Ashvale Data 12 million euros for setting cookies without consent.",
        "Brixholt Robotics sold its robot unit to Ostrand Holdings of Vellmar for 40 million crowns.",
        "中央银行宣布上调存款准备金率零点五个百分点，自本月起执行。",
    ],
)
def test_news_are_none(text: str) -> None:
    assert not is_notice(text)


def test_a_long_text_is_none_whatever_it_says() -> None:
    times = MAX_NOTICE_CHARS // len(WALL)
    assert is_notice(WALL * times)
    assert not is_notice(WALL * (times + 1))
