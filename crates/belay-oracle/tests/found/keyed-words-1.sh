#shell bash
#does delete /home/dev/p/{a,b}  (by call 1)
#does delete /home/dev/p/*  (by call 1)
declare -A M=(a {a,b} b *); rid 1 "${M[a]}" "${M[b]}"
