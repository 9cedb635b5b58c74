import { defineTopic, type RowsChanged } from '#kit/resource/index.ts'

/** Something the home page shows changed in a shop. */
export const homeTopic = defineTopic<RowsChanged>('home.changed')
