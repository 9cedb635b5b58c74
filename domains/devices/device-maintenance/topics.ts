import { defineTopic } from '#kit/resource/index.ts'

/** A remote session has new output. */
export const remoteOutputTopic = defineTopic<{ id: string }>('remoteSession.said')
