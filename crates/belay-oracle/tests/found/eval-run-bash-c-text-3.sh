#shell bash
#does delete /t2  (by call 2)
{
x="$([[ "$x" ]] &&echo A)"
}
(
run )
rid 2 "$x"/t2
