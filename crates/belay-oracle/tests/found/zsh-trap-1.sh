#shell zsh
#does delete /home/dev/p/b  (by call 1)
y=b E=x
trap 'rid 1 "${y}"' EXIT
break | cat
