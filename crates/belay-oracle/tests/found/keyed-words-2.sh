#shell bash
#does delete /home/dev/p/p q  (by call 1)
x="p q"; declare -A M=(a $x); rid 1 "${M[a]}"
