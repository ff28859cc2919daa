-- A new session is a change too, because users have the time of their last login. Nodes receive it with their next poll:
-- notifications would make sign-ins commit one after the other and wake every node for each.
drop trigger change_announced on change;
create trigger change_announced after insert on change for each row
when (new.topic <> 'sign-in') execute function announce_change();
