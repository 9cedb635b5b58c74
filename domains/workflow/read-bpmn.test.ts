import './refusals.ts'
import { describe, expect, test } from 'vitest'
import { readBpmn } from './read-bpmn.ts'
import { flowXml, leaveXml, line } from './test-flows.ts'

const task = '<userTask id="t" name="审批" flowable:assignee="1"/>'
const ends = `<startEvent id="s"/><endEvent id="e"/>`
const whole = (more: string) => flowXml(`${ends}${task}${line('s', 't')}${line('t', 'e')}${more}`)

describe('a process file', () => {
  test('of Flowable is read with its people, conditions and lines', () => {
    const graph = readBpmn(leaveXml)
    expect(graph).toMatchObject({ key: 'leave', name: '请假流程', start: 'start', initiator: 'applyUser' })
    expect(graph.nodes.boss).toMatchObject({ name: '老板审批', type: 'user', groups: 'boss,administrator' })
    expect(graph.nodes.way!.outs).toEqual(['way-manager', 'way-boss', 'way-again'])
    expect(graph.lines['way-manager']!.condition).toBe('${pass && days <= 3}')
  })

  test('of Activiti and with prefixes of its own is read alike', () => {
    const xml = leaveXml
      .replaceAll('flowable:', 'activiti:')
      .replace('xmlns:flowable', 'xmlns:activiti')
      .replace('http://flowable.org/bpmn', 'http://activiti.org/bpmn')
      .replace('xmlns:activiti:', 'xmlns:')
      .replace('xmlns="http://www.omg', 'xmlns:b="http://www.omg')
      .replace(/<(\/?)(?=[a-z])/g, '<$1b:')
      .replace('<b:?xml', '<?xml')
    expect(readBpmn(xml)).toEqual(readBpmn(leaveXml))
  })

  test.each([
    ['no XML', 'hello', 'flow_no_xml'],
    ['a DTD', `<!DOCTYPE a [<!ENTITY x "y">]>${leaveXml.slice(leaveXml.indexOf('<definitions'))}`, 'flow_no_xml'],
    ['an entity', whole('').replace('name="审批"', 'name="&xxe;"'), 'flow_no_xml'],
    ['no process', flowXml('').replaceAll('process', 'collaboration'), 'flow_no_process'],
    ['no start', flowXml('<endEvent id="e"/>'), 'flow_start_once'],
    ['two starts', whole('<startEvent id="s2"/>'), 'flow_start_once'],
    ['a line to nowhere', whole(line('t', 'x')), 'flow_loose_line'],
    ['one id twice', whole(task), 'flow_double'],
  ])('with %s is refused', (_, xml, code) => expect(() => readBpmn(xml)).toThrow(expect.objectContaining({ code })))

  test.each([
    ['a script', '<scriptTask id="x" name="脚本"/>', 'flow_cannot'],
    ['a service', '<serviceTask id="x" name="脚本" flowable:class="a.B"/>', 'flow_cannot'],
    ['a sub-process', '<subProcess id="x" name="脚本"/>', 'flow_cannot'],
    [
      'a message',
      '<intermediateCatchEvent id="x" name="脚本"><messageEventDefinition/></intermediateCatchEvent>',
      'flow_cannot',
    ],
    ['a terminating end', '<endEvent id="x" name="脚本"><terminateEventDefinition/></endEvent>', 'flow_cannot'],
    [
      'a listener',
      '<userTask id="x" name="脚本"><extensionElements><flowable:taskListener class="a.B"/>' +
        '</extensionElements></userTask>',
      'flow_cannot',
    ],
    [
      'a repeated timer',
      '<intermediateCatchEvent id="x" name="脚本"><timerEventDefinition><timeCycle>R3/PT1H</timeCycle>' +
        '</timerEventDefinition></intermediateCatchEvent>',
      'flow_cannot',
    ],
    [
      'a time that is none',
      '<intermediateCatchEvent id="x" name="脚本"><timerEventDefinition><timeDuration>soon</timeDuration>' +
        '</timerEventDefinition></intermediateCatchEvent>',
      'flow_no_time',
    ],
    [
      'a countersign of nobody',
      '<userTask id="x" name="脚本"><multiInstanceLoopCharacteristics/></userTask>',
      'flow_no_list',
    ],
    ['a task that nothing leads to', `<userTask id="x" name="脚本"/>${line('x', 'e')}`, 'flow_from_nowhere'],
    ['a task that nothing follows', `<userTask id="x" name="脚本"/>${line('t', 'x')}`, 'flow_to_nowhere'],
    [
      'a method',
      `<userTask id="x" name="脚本" flowable:assignee="\${a.b()}"/>${line('t', 'x')}${line('x', 'e')}`,
      'flow_bad_expression',
    ],
    [
      'a way without condition',
      `<exclusiveGateway id="x" name="脚本"/>${line('t', 'x')}${line('x', 'e', '${pass}')}` +
        '<sequenceFlow id="y" name="脚本" sourceRef="x" targetRef="t"/>',
      'flow_no_condition',
    ],
    [
      'a timer on nothing',
      '<boundaryEvent id="x" name="脚本"><timerEventDefinition><timeDuration>PT1H</timeDuration>' +
        `</timerEventDefinition></boundaryEvent>${line('x', 'e')}`,
      'flow_no_host',
    ],
  ])('with %s is refused by the name of the element', (_, inner, code) =>
    expect(() => readBpmn(whole(inner))).toThrow(
      expect.objectContaining({ code, params: expect.objectContaining({ node: '脚本' }) }),
    ),
  )
})
