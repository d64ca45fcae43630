#shell bash
#does delete /home/dev/p/.h  (by call 1)
touch .h; shopt -s dotglob; x="*h"; rid 1 $x
