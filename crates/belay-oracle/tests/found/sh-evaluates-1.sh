#shell bash
#does delete /home/dev/p/{d,d/e}/t1  (by call 1)
sh -c 'eval "$1"' _ 'rid 1 {d,d/e}/t1'
