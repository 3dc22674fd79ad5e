"""Notices in place of an article: walls of scripts, cookies and subscriptions, errors of servers.

Hundreds of pages have the same one, and are no copies of a story. A short text is a notice if most of the
telling words in it are terms of such notices.
"""

from __future__ import annotations

import re

from dupgroups.text.facts import read_facts, weight_of

MAX_NOTICE_CHARS = 1_200
MIN_SHARE = 0.34  # of the weight of the rare words that the terms have
MIN_TERMS = 2  # "EU fines a search engine over cookies" has one; a shorter text needs no more
MAX_WORDS = 6

_TERMS = """
javascript cookie cookies browser browsers adblock adblocker captcha robot robots cloudflare vpn
subscribe subscriber subscribers subscription subscriptions unlimited paywall login logged signin signup
register registered access permission server error page enable enabled disable disabled accept consent
consenting preferences privacy forbidden denied unavailable redirected reload refresh 403 404 500 502 503
partners device devices identifiers personalised personalized ads measurement audience insights
processing scanning location vendors legitimate tracking
abonnement abonnieren abonnenten abonnent anmelden registrieren aktivieren datenschutz zustimmen einwilligung
abonnez abonner abonnés connectez connecter navigateur activer activez désactiver accepter consentement
suscriptores suscriptor suscríbete suscripción navegador habilitar habilite active privacidad aceptar
consentimiento assinante assinantes assine abbonati abbonamento accedi accettare consenso
подписка подписчиков подпишитесь войдите браузер браузере включите куки
订阅 登录 浏览器 启用 验证码
"""
_words = re.compile(r"\w+").findall
_TERMS_OF_WORDS = frozenset(term for term in _TERMS.split() if term[0] < "\u3400")
_TERMS_OF_CHARACTERS = tuple(term for term in _TERMS.split() if term[0] >= "\u3400")


def is_notice(text: str) -> bool:
    """Whether a text is a mere notice; false for an empty one.

    >>> is_notice("Please enable JavaScript and cookies in your browser to continue reading.")
    True
    >>> is_notice("Brussels fined Ashvale Data 12 million euros for setting cookies without consent.")
    False
    """
    if len(text) > MAX_NOTICE_CHARS:
        return False
    words = set(_words(text.lower()))
    terms = words & _TERMS_OF_WORDS
    if not text.isascii():
        terms |= {term for term in _TERMS_OF_CHARACTERS if term in text}
    if not terms:
        return False
    facts = read_facts(text)
    own = sum(map(weight_of, facts.rare_words.keys() - terms - set("".join(terms))))
    weight = sum(weight_of(term) for term in terms)
    return weight >= MIN_SHARE * (weight + own) and (len(terms) >= MIN_TERMS or len(facts.words) <= MAX_WORDS)
