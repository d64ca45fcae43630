#shell bash
#does delete /home/dev/p/b/t1  (by call 1)
declare() { :; }
declare -a A=(a b); rid 1 "${A[1]}"/t1
