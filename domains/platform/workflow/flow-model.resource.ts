import { defineResource, f, objectSchema, arraySchema, textSchema } from '#kit/resource/index.ts'
import { olderClientLabel } from './flow-fields.ts'

/** Sample of a minimal process. */
const SAMPLE =
  '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn" ' +
  'targetNamespace="http://www.flowable.org/processdef"><process id="sample" name="示例" isExecutable="true">' +
  '<startEvent id="start"/><sequenceFlow id="go" sourceRef="start" targetRef="sign"/>' +
  '<userTask id="sign" name="审批" flowable:candidateGroups="administrator"/>' +
  '<sequenceFlow id="out" sourceRef="sign" targetRef="end"/><endEvent id="end"/></process></definitions>'

/** What a deployment answers: nothing, or its warnings in both languages. */
const deployedSchema = objectSchema({ remarks: arraySchema(objectSchema({ zh: textSchema, en: textSchema })) }, [
  'remarks',
])

/** A process model: a BPMN file with a name, before deployment. The row's version is the model's. */
export const flowModel = defineResource({
  name: 'flowModel',
  path: '/api/blade-flow/model',
  code: 'flow_model',
  label: { zh: '流程模型', en: 'Process model' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'flow', path: '/flow/model', icon: 'apartment', sort: 1 },
  title: 'name',
  fields: {
    modelKey: f.text({
      label: { zh: '模型标识', en: 'Model key' },
      required: true,
      max: 100,
      search: 'like',
      width: 140,
    }),
    name: f.text({ label: { zh: '模型名称', en: 'Model name' }, required: true, max: 100, search: 'like', width: 180 }),
    description: f.text({ label: { zh: '描述', en: 'Description' }, max: 500, width: 220 }),
    modelEditorXml: f.longText({
      label: { zh: '流程图（BPMN 2.0）', en: 'Diagram (BPMN 2.0)' },
      required: true,
      max: 1_000_000,
      sample: SAMPLE,
      help: {
        zh: '不能运行的元素会在保存时指出',
        en: 'Elements that cannot run are reported when you save',
      },
    }),
    forms: f.json({
      label: { zh: '表单', en: 'Forms' },
      max: 100_000,
      help: { zh: '在设计页中编辑', en: 'Edit it on the design page' },
    }),
  },
  permissions: {
    create: { ...olderClientLabel('新建', 'Create'), means: 'add' },
    update: { ...olderClientLabel('维护', 'Maintain'), means: 'edit' },
    download: olderClientLabel('下载', 'Download'),
  },
  list: { columns: ['modelKey', 'name', 'description', 'createTime', 'updateTime'], time: false },
  unique: [['modelKey']],
  buttons: { import: false },
  actions: {
    deploy: {
      on: 'row',
      path: 'deploy-one',
      comesTo: ['/api/blade-flow/model/deploy'],
      label: { zh: '部署', en: 'Deploy' },
      answer: deployedSchema,
      icon: 'deployment-unit',
      input: {
        category: f.dict('flow', { label: { zh: '流程类型', en: 'Process category' }, required: true }),
      },
    },
  },
})
