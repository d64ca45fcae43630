#shell bash
#does read /t3  (by call 3)
z=$((n))
{
eval ||x="$z/b"
}
show 3 $x/t3
