#shell bash
#does delete /home/dev/p/*  (by call 1)
x=b
declare -A M=([a]=b [0]='*'); : "${M[$x]:=b}"; rid 1 "${M[@]}"
