"""The words of a text that tell it from others, in any script, and whether another text has them.

Words that stand in every text are no evidence and are left out. Scripts without spaces are taken
in the longest pieces that both texts have.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, NamedTuple

from inspector.lenses.literals import LONGEST, LiteralClass, literals

_LOOKED_THROUGH: Final = 20_000
"""Characters of a text whose words are taken."""

_MOST: Final = 300
"""Words of a text that are taken, each once."""

_LEAST: Final = 4
"""Letters of a word below which it may stand anywhere."""

_STEM: Final = 5
"""Letters that a word and one with another ending have in common at least."""

_PIECE: Final = 40
"""Characters of a script without spaces that are taken at once."""

_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々"
_KANA: Final = "\u30a1-\u30fa\u30fc"
_HANGUL: Final = "\uac00-\ud7a3"
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_MARKS: Final = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u0900-\u0dff"
_RUNS: Final = re.compile(
    f"(?P<han>[{_HAN}]+)|(?P<kana>[{_KANA}]+)|(?P<hangul>[{_HANGUL}]+)"
    f"|(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>(?:[{_MARKS}]|(?![{_HAN}{_KANA}{_HANGUL}{_UNSPACED}\u3041-\u309f])[^\W\d_])+)"
)
"""What is written between spaces and signs; hiragana only joins words."""

_JOINING: Final = re.compile(
    "[的了是在和我你您他她它们們这這那有不也就都而及与與或着把被让給给对對从從到吗嗎呢吧啊请請要会會能可以之于於"
    "为為一个個来來去说說还還没沒很再先后後上下中里裡时時]"
)
"""Characters of Han script that hold others together."""

_EVERYWHERE: Final = frozenset(
    word
    for line in (
        "about above after again against almost already also although always among another",
        "anyway anything around away back because been before behind being below best better",
        "between both cannot case come comes could didn does doesn doing done down during",
        "each either else enough even ever every everything exactly first from further",
        "getting give given goes going gone good have haven having hello help here hers",
        "himself however into itself just keep know last later least less like likely little",
        "long look made make makes many maybe mine more most much must myself need needs",
        "neither never next nothing nice okay once only onto other others otherwise ours over",
        "part perhaps please possible probably quite rather really right same seem seems",
        "shall should show since some someone something soon still such sure take tell than",
        "thank thanks that their them themselves then there therefore these they thing things",
        "think this those though through thus time today together told toward true under",
        "unless until upon used uses using very want wants wasn ways well went were what when",
        "where whether which while whom whose will wish with within without work works would",
        "wouldn your yours yourself aber alle allem allen aller alles andere anderen auch",
        "bereits bitte damit dann dass deine dein denn deren dessen dies diese diesem diesen",
        "dieser dieses doch dort durch eine einem einen einer eines etwas euch euer ganz",
        "gegen habe haben hast hatte hatten hier hinter ihnen ihre ihrem ihren ihrer immer",
        "jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen können könnte",
        "machen mehr mein meine mich muss müssen nach nicht nichts noch oder ohne schon sehr",
        "sein seine seinem seinen seiner seit sich sind soll sollen sollte über unter viel",
        "wann warum weil welche wenn werde werden wieder wird wirst wurde wurden zwischen",
        "gibt alors aucun aussi autre autres avant avec avoir beaucoup bien cela celle celui",
        "cette ceux chaque comme comment dans depuis deux donc elle elles encore entre être",
        "faire fait faut leur leurs mais même merci moins nous notre parce pendant peut plus",
        "pour pourquoi quand quel quelle quoi sans sera sont sous tous tout toute toutes très",
        "vers votre vous algo alguna ante antes aquel aquí aunque cada como contra cosa",
        "cuando cual cuál desde donde dónde ella ellas ellos entonces eres esos esta está",
        "están este esto estos estas había hace hacer hacia hasta menos mientras mismo nada",
        "nosotros nuestra otra otro otros para pero poco porque porqué puede pues quien según",
        "sido siempre sobre solo sólo también tanto tener tiene todo todos toda todas unos",
        "usted favor alla anche ancora avere così dalla della delle dello deve dopo dove",
        "dunque essere fare fatto hanno loro molto nella nelle ogni perché però prima quale",
        "quando quella quello questa queste questi questo senza sempre sono stato sulla tutti",
        "tutto ainda algum apenas aqui assim dela dele depois eles essa esse estão fazer isso",
        "isto mesmo muito nossa onde pela pelo pode qual quem seus também tudo você alleen",
        "daar deze doen door eens geen hebben heeft iets ieder kunnen maar meer mijn moet",
        "naar niet onder toch veel voor waar waarom wanneer weer welke werd willen worden",
        "wordt zeer zelf zich zijn zonder будет будто была были было быть ведь весь вместе",
        "всего всех даже если есть здесь какая какой когда конечно который куда лишь либо",
        "меня много можно надо него нельзя несколько ничего нужно однако опять очень перед",
        "пожалуйста после потом потому почему разве себе себя сейчас также такая такой тебя",
        "теперь тогда того тоже только хотя хорошо через чтобы чуть этого этой этом этот",
    )
    for word in line.split()
)
_SUFFIXES: Final = ("s", "es", "d", "ed", "ing")


class Compared(NamedTuple):
    """The telling words of a text, in order, each once: those that another text has, and not."""

    found: tuple[str, ...]
    missing: tuple[str, ...]


def compare(text: str, other: str) -> Compared:
    """Which telling words of a text another one has; literals, but for quoted texts, left out."""
    heard = _Heard(other)
    found: dict[str, bool] = {}
    for word, told in _judged(_without_literals(text[:_LOOKED_THROUGH]), heard):
        found.setdefault(word, told)
        if len(found) == _MOST:
            break
    return Compared(
        tuple(word for word, told in found.items() if told),
        tuple(word for word, told in found.items() if not told),
    )


def _without_literals(text: str) -> str:
    """A text with spaces where its paths, numbers, names and the like stand."""
    rest, at = list[str](), 0
    for literal in literals(text):
        start = text.find(literal.text, literal.at, literal.at + 2 * LONGEST)
        if start < at or (literal.kind is LiteralClass.QUOTED and " " in literal.text):
            continue
        rest += text[at:start], " "
        at = start + len(literal.text)
    return "".join((*rest, text[at:]))


class _Heard:
    """A text in which words are looked up, in whatever case."""

    def __init__(self, text: str) -> None:
        self.text = _plain(text)
        self._words = {run[0] for run in _RUNS.finditer(self.text) if run["word"] is not None}
        self._begun = {
            word[:-cut] for word in self._words for cut in (1, 2) if len(word) - cut >= _STEM
        }

    def has(self, word: str) -> bool:
        """Whether a word stands there, perhaps with another ending."""
        words = self._words
        if word in words or word in self._begun:
            return True
        if any(len(word) - cut >= _STEM and word[:-cut] in words for cut in (1, 2)):
            return True
        return not words.isdisjoint(_inflected(word)) if word.isascii() else False


def _inflected(word: str) -> Iterator[str]:
    """The other endings of a word of English."""
    for suffix in _SUFFIXES:
        yield word + suffix
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST:
            yield word[: -len(suffix)]
    if word.endswith("y"):
        yield from (f"{word[:-1]}{ending}" for ending in ("ies", "ied"))
    if word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _judged(text: str, heard: _Heard) -> Iterator[tuple[str, bool]]:
    """The telling words of a text, each with whether it is heard."""
    for run in _RUNS.finditer(_plain(text)):
        said = run[0]
        match run.lastgroup:
            case "word":
                if len(said) >= _LEAST and said not in _EVERYWHERE:
                    yield said, heard.has(said)
            case "han":
                for piece in _JOINING.split(said):
                    yield from _pieces(piece, heard.text, 2)
            case "kana":
                if len(said) > 1:
                    yield said, said in heard.text
            case "hangul":
                # What joins a word to others stands at its end.
                if len(said) > 1:
                    stem = said[:-1] if len(said) > 2 else said
                    yield said, stem in heard.text
            case _:
                yield from _pieces(said, heard.text, _LEAST)


def _pieces(said: str, heard: str, least: int) -> Iterator[tuple[str, bool]]:
    """A piece of a script without spaces in the longest parts that are heard, and the rest."""
    for start in range(0, len(said), _PIECE):
        piece, at, unheard = said[start : start + _PIECE], 0, ""
        while at < len(piece):
            length = next(
                (
                    length
                    for length in range(len(piece) - at, least - 1, -1)
                    if piece[at : at + length] in heard
                ),
                0,
            )
            if not length:
                unheard += piece[at]
                at += 1
                continue
            if len(unheard) >= least:
                yield unheard, False
            unheard = ""
            yield piece[at : at + length], True
            at += length
        if len(unheard) >= least:
            yield unheard, False
