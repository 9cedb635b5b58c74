import { defineTopic } from '#kit/resource/index.ts'

/** A command reached a state; sent to whoever requested it. */
export const commandStepTopic = defineTopic<{ id: string; state: string | null }>('deviceCommand.step')
