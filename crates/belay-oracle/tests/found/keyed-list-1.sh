#shell bash
#does delete /home/dev/p/a a  (by call 1)
A=(a a); declare -A M=(a "${A[@]}" .); rid 1 "${M[a]}"
