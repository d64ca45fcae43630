#shell bash
#does delete /home/dev/p/ba:b/t1  (by call 1)
bash -s b"$y" <<'E1'
rid 1 "$1"/t1
