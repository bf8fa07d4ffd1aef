/* An engine in C for tricktake (docs/engine-protocol.md), without any library: a scanner of 50 lines reads the JSON.
 *
 *   cc -O2 -o engine engine.c
 *   tricktake engine check ./engine --game skat
 *   tricktake tournament --game skat --player 'c=core:engine(command="./engine")' --player core:random --deals 10
 *
 * It passes where it may. It plays the strongest card if that wins the trick so far, else the cheapest one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- JSON: a value is a pointer to its first character; lines come whole and well-formed from the host --------------- */

static const char *blank(const char *p) {
    while (*p == ' ' || *p == ',' || *p == ':' || *p == '\t') p++;
    return p;
}

/* The character after a value. */
static const char *skip(const char *p) {
    int depth = 0, inside = 0;
    for (p = blank(p); *p; p++) {
        if (inside) {
            if (*p == '\\' && p[1]) p++;
            else if (*p == '"') inside = 0;
        } else if (*p == '"') inside = 1;
        else if (*p == '{' || *p == '[') depth++;
        else if (*p == '}' || *p == ']') depth--;
        if (depth < 0) return p;
        if (!inside && depth == 0 && (strchr("]}\"", *p) || strchr(",]}", p[1]))) return p + 1;
    }
    return p;
}

/* The first entry of a list or member of an object, and the next one; NULL at its end. */
static const char *entry(const char *p) {
    p = blank(p);
    return *p == '\0' || *p == ']' || *p == '}' ? NULL : p;
}
static const char *first(const char *p) { return p && strchr("[{", *blank(p)) && *blank(p) ? entry(blank(p) + 1) : NULL; }
static const char *next(const char *p) { return entry(skip(p)); }

/* Whether a text is this one. */
static int is(const char *p, const char *text) {
    size_t n = strlen(text);
    return p && *(p = blank(p)) == '"' && !strncmp(p + 1, text, n) && p[n + 1] == '"';
}

/* The value of a member of an object; NULL if there is none. */
static const char *get(const char *object, const char *key) {
    for (const char *p = first(object); p; p = entry(skip(skip(p))))
        if (is(p, key)) return blank(skip(p));
    return NULL;
}

/* A text without its quotation marks; "" if it is none, or too long. */
static const char *text(const char *p, char *to, size_t size) {
    const char *end = p && *(p = blank(p)) == '"' ? skip(p) - 1 : NULL;
    size_t n = end && (size_t)(end - p) <= size ? (size_t)(end - p - 1) : 0;
    memcpy(to, end ? p + 1 : "", n);
    to[n] = '\0';
    return to;
}

static long number(const char *p) { return p && *p != 'n' ? strtol(p, NULL, 10) : -1; }

/* -- the choice -------------------------------------------------------------------------------------------------------- */

static long about(const char *rules, const char *what, const char *card) { return number(get(get(rules, what), card)); }

/* Whether a card beats another one that was played before it. */
static int beats(const char *rules, const char *card, const char *best) {
    long suit = about(rules, "suit", card), other = about(rules, "suit", best);
    if (suit != other) return suit == number(get(rules, "trump"));
    return about(rules, "power", card) > about(rules, "power", best);
}

/* The text of the action to take, and why. */
static const char *choose(const char *view, long seed, char *action, size_t size, const char **reason) {
    const char *legal = get(view, "legal"), *rules = get(view, "rules");
    char best[40] = "", card[40];
    long count = 0, most = -1000000, value;
    for (const char *p = first(get(view, "table")); p; p = next(p)) {
        text(p, card, sizeof card);
        if (!*best || beats(rules, card, best)) strcpy(best, card);
    }
    for (const char *p = first(legal); p; p = next(p), count++) {
        if (is(get(p, "verb"), "pass")) {
            *reason = "no risk";
            return text(get(p, "text"), action, size);
        }
        if (!is(get(p, "verb"), "play")) continue;
        text(first(get(p, "cards")), card, sizeof card);
        int wins = *best ? beats(rules, card, best) : about(rules, "power", card) >= 6;
        value = wins ? 1000 + about(rules, "power", card) : -about(rules, "cost", card);
        if (value > most) {
            most = value;
            *reason = wins ? "wins the trick so far" : "the cheapest card";
            text(get(p, "text"), action, size);
        }
    }
    if (most == -1000000 && count) { /* neither a card nor a pass: any action */
        const char *p = first(legal);
        for (long left = seed % count; left > 0; left--) p = next(p);
        *reason = "by lot";
        text(get(p, "text"), action, size);
    }
    return action;
}

int main(void) {
    char *line = NULL, action[400] = "";
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *type = get(line, "type");
        long n = number(get(line, "n"));
        if (is(type, "hello"))
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"example in C\",\"games\":[\"*\"],\"roles\":[\"*\"]}");
        else if (is(type, "ping"))
            printf("{\"type\":\"pong\",\"n\":%ld}\n", n);
        else if (is(type, "decide")) {
            const char *reason = "";
            choose(get(line, "view"), number(get(line, "seed")), action, sizeof action, &reason);
            printf("{\"type\":\"action\",\"n\":%ld,\"action\":\"%s\",\"reason\":\"%s\"}\n", n, action, reason);
        } else if (is(type, "quit"))
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
