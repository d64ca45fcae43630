#shell bash
#does delete /home/dev/p/a/t1  (by call 1)
bash -s a <<'E1'
rid 1 "$1"/t1
