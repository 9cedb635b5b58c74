import { defineTopic } from './topic.ts'

export const bulkProgressTopic = defineTopic<{ id: string; done: number; count: number }>('bulk.progress')
export const backgroundTaskTopic = defineTopic<{ id: string }>('task.changed')
/** Words of dictionaries changed, which every page keeps. */
export const dictionaryTopic = defineTopic('dictionary.changed')
/** A tenant's own fields changed, with them the forms and lists of its resources. */
export const customFieldsTopic = defineTopic('own.changed')
