/** Returns a minimal process to start a design from: a start, one task, an end. */
export const createBlankProcessXml = (key: string, task: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" ' +
  'xmlns:store="urn:store:bpmn" targetNamespace="http://www.flowable.org/processdef">' +
  `<process id="${key}" isExecutable="true">` +
  '<startEvent id="start" flowable:initiator="initiator"/>' +
  '<sequenceFlow id="first" sourceRef="start" targetRef="sign"/>' +
  `<userTask id="sign" name="${task}"/>` +
  '<sequenceFlow id="last" sourceRef="sign" targetRef="end"/><endEvent id="end"/>' +
  '</process></definitions>'
