/** Words of a private dialect that must not be part of a name (docs/style.md §13). */
const WORDS = new Set(
  [
    'breath breaths ride rides lend lent told tell tells said hear hears heard asked settle settled deed deeds',
    'nameable naming namings furnish roomiest patience pulse beat there beside ahead behind street tally arrive',
    'arrives wish crowd crowded softly truly likeness undertaker rehearse rehearses rehearsal rehearsed disown lapse',
    'feel family families whose whom nobody somebody carry forget forgets way ways odd room rooms',
  ].flatMap((line) => line.split(' ')),
)

/** Names that say too little for a type or class at the top of a module. */
const TYPES = new Set(
  (
    'Asked Place Ask Found Told Known Said Held Waiting Kept Shown Named Standing Made Deed Look Taken Sent Wanted ' +
    'Thing Stuff Data Info'
  ).split(' '),
)
/** Names that say too little for a function or constant at the top of a module. */
const FUNCTIONS = new Set(
  (
    'ask settle say take tell turn send write note look answer follow begin lookAt hear giveBack carryOut ' +
    'keep goOn'
  ).split(' '),
)

/** What a module declares at its top: a type or class, or a function or constant. */
export type TopLevelKind = 'type' | 'function'

/** Splits a name: `hasPaidBack` into has, paid and back; `SENT_MAX` into sent and max; `paid-for` into paid and for. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toLowerCase())

/** Returns the first refused word of a name, whatever its case. */
export const refusedWordIn = (name: string): string | undefined => wordsOf(name).find((word) => WORDS.has(word))

/** Whether a name at the top of a module says too little alone. */
export const saysTooLittle = (name: string, kind: TopLevelKind): boolean =>
  (kind === 'type' ? TYPES : FUNCTIONS).has(name)
