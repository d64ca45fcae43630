#shell zsh
#does delete /home/dev/p/a/t1  (by call 1)
x=b E=x
y=a eval 'x=('\''$z'\'' "${x#"$y"}")'
: ${x::=a}
rid 1 "$x"/t1
