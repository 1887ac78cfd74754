"""Stack & Deal: classes of equal counts, dealt blindly or among neighbours."""

from sqlanon.methods.deal.stack_and_deal.method import StackAndDeal

__all__ = ["StackAndDeal"]
