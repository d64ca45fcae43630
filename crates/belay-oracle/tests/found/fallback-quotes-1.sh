#shell bash
#does delete /home/dev/p/a b.t1  (by call 1)
echo 'rid 1 ${z:-a "a b"}.t1' | sh
