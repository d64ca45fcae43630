#shell bash
#does delete /home/dev/p/{a,a}/t1  (by call 1)
echo 'rid 1 {a,a}/t1' | sh
