#shell zsh
#does delete /home/dev/p/a  (by call 4)
set -f
rid 4 ?
