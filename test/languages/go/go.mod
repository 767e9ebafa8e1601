module busbar/languages

go 1.24
