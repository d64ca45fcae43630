#shell bash
#does delete /home/dev/p/c a b  (by call 1)
set ./c "a b"
rid 1 "$*"
