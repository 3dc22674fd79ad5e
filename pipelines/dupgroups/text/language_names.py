"""The names of languages in themselves, for people who read the facets of a search."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LANGUAGES: Mapping[str, str] = MappingProxyType(
    {
        "af": "Afrikaans", "ar": "العربية", "as": "অসমীয়া", "az": "Azərbaycan", "ba": "Башҡорт",
        "be": "Беларуская", "bg": "Български", "bn": "বাংলা", "bo": "བོད་སྐད་", "br": "Brezhoneg",
        "ca": "Català", "ce": "Нохчийн", "cs": "Čeština", "cv": "Чӑваш", "cy": "Cymraeg", "da": "Dansk",
        "de": "Deutsch", "dv": "ދިވެހި", "el": "Ελληνικά", "en": "English", "eo": "Esperanto",
        "es": "Español", "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fo": "Føroyskt",
        "fr": "Français", "fy": "Frysk", "ga": "Gaeilge", "gd": "Gàidhlig", "gl": "Galego",
        "gu": "ગુજરાતી", "ha": "Hausa", "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar",
        "hy": "Հայերեն", "id": "Indonesia", "io": "Ido", "is": "Íslenska", "it": "Italiano",
        "ja": "日本語", "jv": "Jawa", "ka": "ქართული", "kk": "Қазақ", "km": "ខ្មែរ", "kn": "ಕನ್ನಡ",
        "ko": "한국어", "ku": "Kurdî", "ky": "Кыргызча", "la": "Latina", "lb": "Lëtzebuergesch",
        "lo": "ລາວ", "lt": "Lietuvių", "lv": "Latviešu", "mg": "Malagasy", "mk": "Македонски",
        "ml": "മലയാളം", "mn": "Монгол", "mr": "मराठी", "ms": "Melayu", "mt": "Malti", "my": "မြန်မာ",
        "nb": "Norsk bokmål", "ne": "नेपाली", "nl": "Nederlands", "nn": "Norsk nynorsk", "no": "Norsk",
        "or": "ଓଡ଼ିଆ", "pa": "ਪੰਜਾਬੀ", "pl": "Polski", "ps": "پښتو", "pt": "Português",
        "rm": "Rumantsch", "ro": "Română", "ru": "Русский", "sa": "संस्कृतम्", "sc": "Sardu",
        "sd": "سنڌي", "si": "සිංහල", "sk": "Slovenčina", "sl": "Slovenščina", "so": "Soomaali",
        "sq": "Shqip", "sr": "Српски", "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்",
        "te": "తెలుగు", "tg": "Тоҷикӣ", "th": "ไทย", "tk": "Türkmen", "tl": "Tagalog", "tr": "Türkçe",
        "tt": "Татар", "ug": "ئۇيغۇرچە", "uk": "Українська", "ur": "اردو", "uz": "Oʻzbek",
        "vi": "Tiếng Việt", "vo": "Volapük", "yi": "ייִדיש", "zh": "中文", "zu": "isiZulu",
    }
)  # fmt: skip
"""Every language that `text.language.detect` names without a declaration, and a few more, by code."""
