#shell bash
#does delete /home/dev/p/b/t1  (by call 1)
bash -s b <<'E1'
rid 1 "$1"/t1
