const attribute = (name: string) => ({ name, isAttr: true, type: 'String' })

/** Flowable's extensions of BPMN that the process engine reads. */
export const flowableModdleDescriptor = {
  name: 'Flowable',
  prefix: 'flowable',
  uri: 'http://flowable.org/bpmn',
  xml: { tagAlias: 'lowerCase' },
  types: [
    {
      name: 'TaskAttributes',
      extends: ['bpmn:UserTask'],
      properties: ['assignee', 'candidateUsers', 'candidateGroups', 'dueDate', 'formKey'].map(attribute),
    },
    { name: 'StartAttributes', extends: ['bpmn:StartEvent'], properties: ['initiator', 'formKey'].map(attribute) },
    {
      name: 'LoopAttributes',
      extends: ['bpmn:MultiInstanceLoopCharacteristics'],
      properties: ['collection', 'elementVariable'].map(attribute),
    },
  ],
}

/** Our own extensions of BPMN. */
export const storeModdleDescriptor = {
  name: 'Store',
  prefix: 'store',
  uri: 'urn:store:bpmn',
  xml: { tagAlias: 'lowerCase' },
  types: [
    {
      name: 'TaskAttributes',
      extends: ['bpmn:UserTask'],
      properties: ['onDue', 'escalateTo', 'escalateGroups', 'copyTo', 'onRefuse'].map(attribute),
    },
  ],
}
