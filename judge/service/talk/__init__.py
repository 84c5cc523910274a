"""Working one mail of a person.

Identify the sender, read and carry out the requests in order, write the receipt.
"""
