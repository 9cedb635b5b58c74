import fc from 'fast-check'

/**
 * The same examples every time, so that a change is judged by the change alone. New ones are looked for on purpose:
 * `PROPERTY_SEED=$RANDOM npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_260_131) })
