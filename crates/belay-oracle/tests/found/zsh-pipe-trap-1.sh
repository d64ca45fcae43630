#shell zsh
#does delete /home/dev/p/~/s/t2  (by call 2)
x=a E=x
true | trap 'rid 2 "${x:-~/s}"/t2' EXIT
x="$1"
