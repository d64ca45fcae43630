#shell zsh
#does delete /home/dev/p/a  (by call 2)
#does delete /home/dev/p/b  (by call 2)
IFS=:; x=a:b E=x
setopt shwordsplit
rid 2 $x
