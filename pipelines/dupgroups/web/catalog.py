"""Sentences and terms that reach a page from layers that know no language, for the catalogues.

Values stand as %(name)s, whatever they are in the code; tests hold the lists to the code.
"""

from __future__ import annotations

from dupgroups.web.language import gettext_noop as _

ERRORS = (
    # the server
    _("There is no such page."),
    _("Method Not Allowed"),
    _("Try again in a moment; the server log says what is wrong."),
    _("Something went wrong; the server log says what."),
    _("The request is too large: send at most %(most)s bytes."),
    # searches
    _("the search text has %(count)s characters: use at most %(most)s"),
    _("unknown mode %(value)s: use %(known)s"),
    _("unknown sort %(value)s: use %(known)s"),
    _("%(name)s must be a number from 0 to %(most)s, not %(value)s"),
    _("limit must be from 0 to %(most)s, and neither offset nor copies may be negative"),
    _("offset + limit is above %(most)s: narrow the search, or page with the cursor of head mode"),
    _("a cursor works only in the modes head and all, and without an offset"),
    _("the cursor was not issued by this engine: search again without one"),
    _("language, site and author must be text that UTF-8 can encode: give another value"),
    _("%(name)s must be a day such as 2026-03-04, not %(value)s: give another value"),
    _("since %(since)s is after until %(until)s: swap the two days"),
    _('a quotation mark is missing: write phrases as "night train"'),
    _("the search only says what to leave out: add a word that is wanted"),
    _("parentheses do not group words: OR joins the words on both sides of it"),
    _("NOT is not an operator: write -flood to leave out what has the word flood"),
    _("%(name)s: is not an operator: filter by language, site, author, since and until instead"),
    _("a minus needs the word to leave out right after it, as in -flood"),
    _("* works only at the end of a word, as in flood*"),
    _("* needs at least %(count)s letters before it, as in flood*"),
    _("* does not work inside quotation marks: write the word without them"),
    _("OR needs a wanted word or phrase on both sides, as in ferry OR boat"),
    _("the search has more than %(most)s words: use fewer of them"),
    # stories
    _("There is no such story: its documents may have been deleted."),
    _("There is no document %(id)s: it may have been deleted."),
    # corrections
    _("This server takes no corrections: start it with --token-file FILE."),
    _("This is not one of the tokens of this server."),
    _("Log in first: a correction needs to know who makes it."),
    _("This form has expired. Reload the page and try again."),
    _("the number of a correction is needed"),
    _("%(kind)s of %(count)s documents is not a correction: known are %(known)s"),
    _("no document has the id %(id)s: give ids as `dup-groups search --json` does"),
    _("%(a)s and %(b)s belong to different scopes (`group_by`), which no correction joins"),
    _("a correction needs the name of who enters it: at most %(most)s characters"),
    _("the log holds %(most)s entries, and takes no more"),
    _("%(a)s cannot be corrected against itself: name two documents"),
    _("%(a)s is pinned as a head already, by correction %(number)s"),
    _("%(a)s and %(b)s are kept apart already, by correction %(number)s"),
    _("%(a)s and %(b)s are kept together already, by correction %(number)s"),
    _("there is no correction %(number)s: `dup-groups corrections` lists them"),
    _("correction %(number)s undoes %(other)s: enter that one again instead"),
    _("correction %(number)s was undone by %(other)s already"),
    _("%(a)s and %(b)s are kept together by %(numbers)s: undo one of these first"),
    _(
        "%(a)s and %(b)s cannot be kept together: correction %(number)s keeps %(one)s and %(two)s apart; "
        "undo it first"
    ),
)

REASONS = (
    # of verdicts
    _("Their languages use different signature schemes."),
    _("At least one of them has too little running text to be compared."),
    _("The cosine of their weighted words is %(alike)s (a copy needs %(least)s)."),
    _("%(agree)s of %(present)s fingerprints agree (a copy needs %(least)s)."),
    _("%(differ)s of %(bits)s bits differ (a copy may differ in %(most)s)."),
    _(
        "%(common)s of %(count)s supershingles agree (a copy needs %(least)s), and %(agree)s of the bits "
        "(a copy needs %(bits)s), with %(same)s of %(pieces)s pieces the same (a copy needs 1)."
    ),
    _(
        "%(common)s of %(count)s supershingles agree (a copy needs %(least)s), and %(agree)s of the bits "
        "(a copy needs %(bits)s)."
    ),
    _("%(common)s of %(count)s supershingles are common to both (a copy needs %(least)s)."),
    _("%(alike)s of what they hold is common to both, %(covered)s of what the shorter holds."),
    _(
        "%(shared)s characters before full stops agree: %(shorter)s of the shorter string (a copy needs "
        "%(least)s), %(longer)s of the longer one."
    ),
    _("%(alike)s of the weight of their phrases is common to both, %(covered)s of the lighter's."),
    _(
        "%(alike)s of their phrases are common to both, %(covered)s of those of the shorter text, but "
        "%(differ)s of %(common)s numerals in the same context differ."
    ),
    _("%(alike)s of their phrases are common to both, %(covered)s of those of the shorter text."),
)

MEASURES = (
    _("common to both"),
    _("common to both, to be similar"),
    _("of the smaller in the larger"),
    _("cosine"),
    _("cosine, to be similar"),
    _("fingerprints that agree"),
    _("differing bits"),
    _("differing bits, to be similar"),
    _("supershingles that agree"),
    _("bits that agree"),
    _("pieces of the bits that are the same"),
    _("supershingles common to both"),
    _("LCC / length of the shorter"),
    _("LCC / length of the longer"),
    _("LCC / length of the shorter, to be similar"),
    _("phrases common to both"),
    _("phrases common to both, to be similar"),
    _("phrases of the shorter in the longer"),
    _("size of the shorter against the longer"),
    _("numerals in the same context that differ"),
)

FEATURES = (
    _("heaviest words"),
    _("words"),
    _("words of the lexicon"),
    _("shingles of %(size)s"),
    _("phrases of %(size)s"),
    _("characters before full stops"),
    _("features"),
    _("slides of four characters"),
    _("spots"),
)

EXTRACTED = (
    # the parts of a content
    _("title"),
    _("author"),
    _("date"),
    _("language"),
    _("url"),
    # where they were found
    _("given with the page"),
    _("the text"),
    _("the canonical link"),
    _("the h1 that the title of the page repeats"),
    _("the h1 that the title of the page repeats, without the name of the site"),
    _("the first h1"),
    _("the first h1, without the name of the site"),
    _("og:title, with which the title of the page begins"),
    _("og:title, with which the title of the page begins, without the name of the site"),
    _("og:title"),
    _("og:title, without the name of the site"),
    _("the title element"),
    _("the title element, without the name of the site"),
    _("JSON-LD, date of publication"),
    _("JSON-LD, date of creation"),
    _("JSON-LD, author"),
    _("meta %(name)s"),
    _("a time element marked as publication"),
    _("the first time element"),
    _("the URL"),
    _("the line beside the headline"),
    _("the byline beside the text"),
    _("an element marked as author"),
    # what the probability of an article is made of
    _("certainty"),
    _("gaps"),
    _("together"),
    _("declared"),
    _("level"),
)

SENTENCES = (*ERRORS, *REASONS, *MEASURES, *FEATURES, *EXTRACTED)
