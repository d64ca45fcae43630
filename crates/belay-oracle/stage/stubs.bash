__n=0 __t= __w= __l= FUNCNEST=20
# Whether a word leads through a link is asked now: at the end there may be others.
__acted() {
    __l=
    for __w in "${@:3}"; do
        while [[ $__w == */* ]]; do
            __w=${__w%/*}
            if [[ -L $__w ]]; then __l=@; fi
        done
    done
    {
        builtin pwd -P || :
        builtin printf '%s\0' '' "$1$__l" "$(($# - 1))" "${@:2}"
    } 2>/dev/null >>"/stub/acts/$BASHPID"
}
__ended() {
    case $1 in *[!0-9]* | '' | ????*) return 0 ;; esac
    __n=$((__n + 1))
    return "${LUCK:(($1 * 7 + __n * 3) % 61):1}"
}
rid() { __acted rid "$@"; __ended "${1-}"; }
tell() {
    local IFS=' '
    builtin printf '%s\n' "$*"
    __ended "$#"
}
put() {
    __acted put "$@"
    IFS= builtin read -r -d '' -t 1 __t 2>/dev/null || :
    { builtin printf '%s' "$__t" >|"${2-}"; } 2>/dev/null || :
    __ended "${1-}"
}
show() {
    __acted show "$@"
    { IFS= builtin read -r -d '' __t <"${2-}" || :; } 2>/dev/null || __t=
    builtin printf '%s' "$__t"
    __ended "${1-}"
}
run() { command /bin/bash -c "${2-}"; }
