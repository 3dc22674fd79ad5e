"""The methods of five papers, each as a whole: extractor, signer and judge as they are published.

- `alonso`: Alonso, Fetterly, Manasse: Near Duplicate News Story Detection Revisited, AIRS 2013. It gives no
  threshold.
- `an-cheng`: An, Cheng: The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance. It gives
  no beta.
- `cedar`: Gibson, Wellner, Lubar: Identification of Duplicate News Stories in Web Pages, LREC 2008, table 3.
  In scripts without blanks, of which it has none, four characters stand for its two words.
- `spotsigs`: Theobald, Siddharth, Paepcke: SpotSigs, SIGIR 2008. Its antecedents are those that Alonso found
  best.
- `standke`: Standke: Identifying Online News Articles. It only extracts: signer and judge are the default.

For what a paper leaves open, the default of the method is taken.
"""

from collections.abc import Mapping

from dupgroups.model.config import Method, Step

Preset = Mapping[str, Method]


def _method(extractor: str, signer: str | None = None, judge: str | None = None) -> Method:
    return Method(*(Step.parse(text) if text else None for text in (extractor, signer, judge)))


ALONSO: Preset = {"*": _method("subsequence", "weighted_phrases weighting=df2 common=50", "weighted_jaccard")}
AN_CHENG: Preset = {"*": _method("visible", "period_string least=1", "overlap_factors alpha=0.8 epsilon=0.2")}
_CEDAR = _method("crf", "shingling size=2 modulus=1", "jaccard threshold=0.4")
_CEDAR_UNSPACED = _method("crf", "shingling size=4 modulus=1", "jaccard threshold=0.4")
CEDAR: Preset = {"*": _CEDAR, **dict.fromkeys(("zh", "ja", "th", "lo", "km", "my"), _CEDAR_UNSPACED)}
SPOTSIGS: Preset = {"*": _method("visible", "spotsigs spot_distance=1 chain_length=2", "jaccard")}
STANDKE: Preset = {"*": _method("mss")}
