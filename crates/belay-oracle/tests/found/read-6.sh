#shell bash
#does delete /home/dev/p/.t1  (by call 1)
read -a A <<< ""a b" A"
rid 1 "${A[0]}".t1
