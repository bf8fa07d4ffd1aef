"""Learning from played games: features, questions, tables, and the loop that improves a player (docs/learning.md)."""

from tricktake.learning.align import align
from tricktake.learning.feature import Feature, feature
from tricktake.learning.learn import learn, learn_all
from tricktake.learning.question import Form, Question, find_question
from tricktake.learning.rows import Rows
from tricktake.learning.table import Bucket, LearnedTable, find_table, merge, shared_sources

__all__ = [
    "Bucket",
    "Feature",
    "Form",
    "LearnedTable",
    "Question",
    "Rows",
    "align",
    "feature",
    "find_question",
    "find_table",
    "learn",
    "learn_all",
    "merge",
    "shared_sources",
]
