"""Function words: frequent and evenly spread in running text on any subject."""

from __future__ import annotations

ARTICLES = "a an the"
PRONOUNS = (
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it "
    "its itself we us our ours ourselves they them their theirs themselves one ones oneself this that "
    "these those who whom whose which what whoever whatever whichever each every either neither both all "
    "any some none no other others another such anyone anybody anything someone somebody something "
    "everyone everybody everything nobody nothing there here where when why how"
)
PREPOSITIONS = (
    "about above across after against along amid among amongst around as at before behind below beneath "
    "beside besides between beyond by despite down during except for from in inside into like near of off "
    "on onto out outside over past per since through throughout till to toward towards under underneath "
    "until unto up upon via with within without"
)
CONJUNCTIONS = (
    "and but or nor so yet if unless because although though while whereas whether than lest once then "
    "thus hence therefore however moreover nevertheless otherwise"
)
AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having can could may might must "
    "shall should will would ought get gets got getting let lets s t d ll m re ve don didn doesn isn wasn "
    "weren aren couldn shouldn wouldn won haven hasn hadn ain cannot"
)
ADVERBS = (
    "not only also too very just even still ever never always often again already almost much many more "
    "most less least few little own same quite rather really perhaps maybe now soon later away back else "
    "enough further indeed instead together far well yes"
)
SAYING = "say says said saying tell tells told"
CHINESE = " ".join("的了是在和有不也就都而与及着被把从对于为以之其这那他她它我你们个将到说会要并但或等")

STOPWORDS = " ".join([ARTICLES, PRONOUNS, PREPOSITIONS, CONJUNCTIONS, AUXILIARIES, ADVERBS, SAYING, CHINESE])
"""All the words above, separated by blanks; a Chinese character is a word."""
