"""What the mail room asks of the language room: whether a line may be an order."""

from judge.language import gives_order, may_ask
from judge.mail.own_words import Vocabulary

VOCABULARY = Vocabulary(gives_order, may_ask)
