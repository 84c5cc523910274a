"""What `judge.mail` needs to know of `judge.language`: whether a line may be an order."""

from judge.language import gives_order, may_ask
from judge.mail.own_words import Vocabulary

VOCABULARY = Vocabulary(gives_order, may_ask)
