import { defineTopic } from '#kit/resource/index.ts'

/** The figures were counted anew; `wrong`: how many had been. */
export const rollupsRebuiltTopic = defineTopic<{ wrong: number }>('statistics.recounted')
