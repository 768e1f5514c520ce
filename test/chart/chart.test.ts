import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { chartRenderer, type Rendered, renderChart, type Values } from './render.ts'

const hasGo = chartRenderer() !== undefined
if (process.env.CI && !hasGo) throw new Error('golang-go, its Sprig and its yaml.v3 are missing')

const least: Values = { settings: { TRUSTED_PROXIES: '10.42.7.0/24' } }
const quota = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } }
const most: Values = {
  image: { repository: 'registry.example.com:5000/portal', tag: '1.0' },
  imagePullSecrets: [{ name: 'registry' }],
  autoscaling: { enabled: true },
  migrationSecret: 'owner',
  secretFiles: {
    MASTER_KEY_FILE: { secret: 'key', key: 'master-key' },
    BANKID_CERT_FILE: { secret: 'bankid', key: 'client.p12' },
  },
  settings: { TRUSTED_PROXIES: '10.42.7.0/24', COMPANY_NAME: 'Åre: "Nordvik" $(HOME) #1', SUPPORT_PHONE: '' },
  rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
  ingress: {
    className: 'nginx',
    hosts: [
      { host: 'login.nordvik.example', tlsSecret: 'nordvik-tls' },
      { host: 'login.havsvik.example' },
      { host: 'id.nordvik.example', tlsSecret: 'nordvik-tls' },
    ],
  },
  resources: quota,
  migration: { resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } } },
  extraEnv: [{ name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'mail', key: 'url' } } }],
  extraEnvFrom: [{ configMapRef: { name: 'more' } }],
  extraVolumes: [{ name: 'backups', persistentVolumeClaim: { claimName: 'backups' } }],
  extraVolumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  podAnnotations: { 'reloader.stakater.com/auto': 'true' },
  podLabels: { team: 'identity' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }], egress: [{ to: [{ podSelector: {} }] }] },
  serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/portal' } },
  nodeSelector: { pool: 'identity' },
  tolerations: [{ key: 'identity', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { podAntiAffinity: {} },
}
// Names that Kubernetes allows and YAML reads as something else.
const odd: Values = {
  settings: { TRUSTED_PROXIES: '10.42.7.0/24', CODE: '0123', BIG: 10_000_000, HALF: 0.5, ON: true },
  existingSecret: 'on',
  migrationSecret: '1e3',
  secretFiles: { MASTER_KEY_FILE: { secret: '123', key: 'no' } },
  serviceAccount: { name: 'yes' },
  ingress: { className: '1', tlsSecret: '0x1f', hosts: [{ host: '1.2', tlsSecret: 'null' }] },
  serviceMonitor: { enabled: true, token: { secret: 'off', key: '1' } },
}

const kinds: Record<string, Record<string, unknown>> = {
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  v1: core,
}
type Model = new (object: Rendered) => { validate(): void }
/** Throws what the schema of the API says. */
function validate(object: Rendered): void {
  const KindOf = kinds[object.apiVersion]?.[object.kind] as Model | undefined
  if (!KindOf) throw new Error(`no schema of ${object.apiVersion} ${object.kind}`)
  new KindOf(object).validate()
}
/** Its schema is the Prometheus operator's. */
const isForeign = ({ apiVersion, kind }: Rendered) =>
  `${apiVersion} ${kind}` === 'monitoring.coreos.com/v1 ServiceMonitor'

const one = (objects: Rendered[], kind: string, name = 'portal') => {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name)
  expect(found, `${kind} ${name}`).toHaveLength(1)
  return found[0] as Rendered
}
const hookOf = ({ metadata }: Rendered) => metadata.annotations?.['helm.sh/hook']
const podsOf = (objects: Rendered[]) => [
  one(objects, 'Deployment').spec.template,
  one(objects, 'Job', 'portal-migration').spec.template,
]
const envOf = (pod: Rendered) =>
  Object.fromEntries(
    pod.spec.containers[0].env.map(({ name, value }: { name: string; value?: string }) => [name, value]),
  )

describe.runIf(hasGo)('the chart', () => {
  test.each([
    ['the least values', least],
    ['all values', most],
    ['an admin command', { ...most, adminCommand: ['backup', '/backups/1'] }],
    ['names that YAML reads as something else', odd],
  ])('with %s gives objects that Kubernetes accepts', (_, values) => {
    const objects = renderChart(values)
    expect(objects.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['Deployment', 'Job', 'Service', 'Ingress', 'PodDisruptionBudget']),
    )
    for (const object of objects) if (!isForeign(object)) validate(object)
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    const broken = { ...one(objects, 'Deployment'), spec: { replicas: 'two' } }
    expect(() => validate(broken)).toThrow()
  })

  test('keeps settings in the pods: no hook but the job and its account, so that rollback and uninstall leave none', () => {
    for (const values of [least, most]) {
      const objects = renderChart(values)
      expect(objects.filter(({ kind }) => ['ConfigMap', 'Secret'].includes(kind))).toEqual([])
      const hooks = objects.filter(hookOf)
      expect(hooks.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
        'Job portal-migration',
        'ServiceAccount portal-migration',
      ])
      for (const hook of hooks) {
        expect(hookOf(hook)).toBe('pre-install,pre-upgrade')
        expect(hook.metadata.annotations['helm.sh/hook-delete-policy']).toContain('hook-succeeded')
      }
      const account = one(objects, 'ServiceAccount', 'portal-migration')
      expect(Number(account.metadata.annotations['helm.sh/hook-weight'])).toBeLessThan(0)
    }
  })

  test('gives nodes and job the place, account, labels, annotations and files of the values', () => {
    const objects = renderChart(most)
    const [node, job] = podsOf(objects)
    for (const pod of [node, job]) {
      expect(pod?.spec).toMatchObject({
        nodeSelector: most.nodeSelector,
        tolerations: most.tolerations,
        affinity: most.affinity,
        imagePullSecrets: most.imagePullSecrets,
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, fsGroup: 65532 },
      })
      expect(pod?.metadata.labels.team).toBe('identity')
      expect(pod?.metadata.annotations['reloader.stakater.com/auto']).toBe('true')
      const [container] = pod?.spec.containers ?? []
      expect(container.image).toBe('registry.example.com:5000/portal:1.0')
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(container.volumeMounts).toEqual(
        expect.arrayContaining([
          { name: 'secrets', mountPath: '/secrets', readOnly: true },
          { name: 'backups', mountPath: '/backups' },
        ]),
      )
      const volumes = new Set(pod?.spec.volumes.map(({ name }: { name: string }) => name))
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
    }
    expect(node?.spec.serviceAccountName).toBe('portal')
    expect(job?.spec.serviceAccountName).toBe('portal-migration')
    for (const account of ['portal', 'portal-migration'])
      expect(one(objects, 'ServiceAccount', account).metadata.annotations).toMatchObject({
        'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/portal',
      })
    const own = renderChart({ ...least, serviceAccount: { name: 'identity' } })
    expect(own.filter(({ kind }) => kind === 'ServiceAccount')).toEqual([])
    expect(podsOf(own).map(({ spec }) => spec.serviceAccountName)).toEqual(['identity', 'identity'])
    // Only the job has the owner's rights.
    const secretsOf = (pod: Rendered) =>
      pod.spec.containers[0].envFrom.map(({ secretRef }: Rendered) => secretRef?.name)
    expect(secretsOf(node as Rendered)).not.toContain('owner')
    expect(secretsOf(job as Rendered)).toContain('owner')
  })

  test('runs an admin command in a pod like that of the job, which needs nothing of an installed release', () => {
    const objects = renderChart({ ...most, adminCommand: ['restore', '/backups/1'] }, {}, 'admin.yaml')
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['Job portal-admin'])
    const [admin = {}] = objects
    expect(hookOf(admin)).toBeUndefined()
    const job = one(renderChart(most), 'Job', 'portal-migration').spec.template
    const { template } = admin.spec
    const [container] = template.spec.containers
    expect(container.args).toEqual(['server/admin.ts', 'restore', '/backups/1'])
    const containers = [{ ...container, name: 'migration', args: ['server/admin.ts', 'migrate'] }]
    expect(template.spec.serviceAccountName).toBe('default')
    const same = { ...template, spec: { ...template.spec, containers, serviceAccountName: 'portal-migration' } }
    expect(same).toEqual(job)
    expect(renderChart(most, {}, 'admin.yaml')).toEqual([])
  })

  test('gives every container requests and limits, as a quota asks', () => {
    for (const values of [least, most])
      for (const { spec } of podsOf(renderChart(values)))
        for (const { resources } of [...spec.containers, ...(spec.initContainers ?? [])]) {
          expect(resources.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() })
          expect(resources.limits.memory).toBeTruthy()
        }
    const [node, job] = podsOf(renderChart(most)).map(({ spec }) => spec.containers[0].resources)
    expect(node).toEqual(quota)
    expect(job).toEqual((most.migration as Values).resources)
    const [, same] = podsOf(renderChart({ ...least, resources: quota })).map(({ spec }) => spec.containers[0].resources)
    expect(same).toEqual(quota)
    expect(one(renderChart(most), 'Deployment').spec.strategy.rollingUpdate).toEqual(most.rollingUpdate)
  })

  test('keeps the sidecars of a mesh off the job, and lets native ones in where the values say so', () => {
    const [node, job] = podsOf(renderChart(least)).map(({ metadata }) => ({
      ...metadata.labels,
      ...metadata.annotations,
    }))
    const off = {
      'sidecar.istio.io/inject': 'false',
      'kuma.io/sidecar-injection': 'disabled',
      'linkerd.io/inject': 'disabled',
      'consul.hashicorp.com/connect-inject': 'false',
    }
    expect(job).toMatchObject(off)
    for (const name of Object.keys(off)) expect(node).not.toHaveProperty([name])
    const migration = {
      podLabels: { 'sidecar.istio.io/inject': null },
      podAnnotations: { 'linkerd.io/inject': 'enabled' },
    }
    const [, meshed] = podsOf(renderChart({ ...least, migration }))
    expect(meshed?.metadata.labels).not.toHaveProperty(['sidecar.istio.io/inject'])
    expect(meshed?.metadata.annotations['linkerd.io/inject']).toBe('enabled')
  })

  test('answers at the host of the portal and at those of organisations, each certificate once', () => {
    const { spec } = one(renderChart({ ...most, baseUrl: 'https://portal.nordvik.example' }), 'Ingress')
    const hosts = ['portal.nordvik.example', 'login.nordvik.example', 'login.havsvik.example', 'id.nordvik.example']
    expect(spec.rules.map(({ host }: Rendered) => host)).toEqual(hosts)
    expect(spec.tls).toHaveLength(3)
    expect(spec.tls).toEqual(
      expect.arrayContaining([
        { hosts: ['portal.nordvik.example'], secretName: 'vestibule-tls' },
        { hosts: ['login.nordvik.example', 'id.nordvik.example'], secretName: 'nordvik-tls' },
        { hosts: ['login.havsvik.example'] },
      ]),
    )
    for (const { http } of spec.rules) expect(http.paths[0].backend.service.name).toBe('portal')
  })

  test('gives a setting to the process as it was written', () => {
    for (const pod of podsOf(renderChart(odd)))
      expect(envOf(pod)).toMatchObject({ CODE: '0123', BIG: '10000000', HALF: '0.5', ON: 'true' })
    for (const pod of podsOf(renderChart(most))) {
      // $$ is Kubernetes' way to write a dollar.
      expect(envOf(pod).COMPANY_NAME).toBe('Åre: "Nordvik" $$(HOME) #1')
      expect(envOf(pod)).not.toHaveProperty('SUPPORT_PHONE')
      expect(envOf(pod).MASTER_KEY_FILE).toBe('/secrets/MASTER_KEY_FILE')
    }
  })

  test('restarts the nodes when one of its secrets has changed', () => {
    const sumOf = (secret: string, data: Record<string, string>) =>
      podsOf(renderChart(most, { [`Secret/${secret}`]: { data } }))[0]?.metadata.annotations['checksum/secrets']
    for (const secret of ['vestibule', 'key', 'bankid'])
      expect(sumOf(secret, { a: 'MQ==' })).not.toBe(sumOf(secret, { a: 'Mg==' }))
    expect(sumOf('other', { a: 'MQ==' })).toBe(sumOf('other', { a: 'Mg==' }))
  })

  test('refuses misspelled and missing values with a sentence', () => {
    expect(() => renderChart({ ...least, replica: 3 })).toThrow('must NOT have additional properties')
    expect(() => renderChart({ ...least, baseUrl: 'http://portal.example.com' })).toThrow('baseUrl')
    expect(() => renderChart({})).toThrow('Set settings.TRUSTED_PROXIES')
    expect(() => renderChart({ ...least, networkPolicy: { enabled: true } })).toThrow('Set networkPolicy.from')
    const taken = { podLabels: { 'app.kubernetes.io/name': 'other' } }
    expect(() => renderChart({ ...least, ...taken })).toThrow('podLabels')
  })
})
