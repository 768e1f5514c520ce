{{- define "vestibule.labels" -}}
app.kubernetes.io/name: vestibule
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "vestibule.selector" -}}
app.kubernetes.io/name: vestibule
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: node
{{- end }}

{{- define "vestibule.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "vestibule.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vestibule.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* Helm reads a number as one with a point, and would write ten million as 1e+07. */ -}}
{{- define "vestibule.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- /* In the pods and in no object beside them: a rollback brings the settings back with their code, and the job runs before
other objects are there. */ -}}
{{- define "vestibule.settings" -}}
{{- $elsewhere := keys .Values.secretFiles }}
{{- range .Values.extraEnv }}{{ $elsewhere = append $elsewhere .name }}{{ end }}
{{- $chart := dict "NODE_ENV" "production" "BASE_URL" .Values.baseUrl "DRAIN_SECONDS" .Values.drainSeconds }}
{{- range $name, $value := merge $chart .Values.settings }}
{{- if not (or (has $name $elsewhere) (eq (toString $value) "")) }}
- { name: {{ $name | quote }}, value: {{ include "vestibule.text" $value | replace "$" "$$" | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{- /* root: the chart; secret: one more secret, or none. */ -}}
{{- define "vestibule.env" -}}
envFrom:
  - secretRef: { name: {{ .root.Values.existingSecret | quote }} }
  {{- with .secret }}
  - secretRef: { name: {{ . | quote }} }
  {{- end }}
  {{- with .root.Values.extraEnvFrom }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
env:
  {{- include "vestibule.settings" .root | trim | nindent 2 }}
  {{- range $setting, $file := .root.Values.secretFiles }}
  - { name: {{ $setting | quote }}, value: {{ print "/secrets/" $setting | quote }} }
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "vestibule.volumeMounts" -}}
- { name: temporary, mountPath: /tmp }
{{- if .Values.secretFiles }}
- { name: secrets, mountPath: /secrets, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "vestibule.volumes" -}}
- name: temporary
  emptyDir: {}
{{- if .Values.secretFiles }}
- name: secrets
  projected:
    # Read by the group of the pod alone: the portal refuses a secret that others can read.
    defaultMode: 0440
    sources:
      {{- range $setting, $file := .Values.secretFiles }}
      - secret:
          name: {{ $file.secret | quote }}
          items: [{ key: {{ $file.key | quote }}, path: {{ $setting | quote }} }]
      {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* What the pods of nodes and migration job have in common. root: the chart; account: the one that the chart makes. */ -}}
{{- define "vestibule.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
serviceAccountName: {{ .root.Values.serviceAccount.name | default .account | quote }}
automountServiceAccountToken: false
securityContext: {{- include "vestibule.podSecurity" .root | nindent 2 }}
volumes: {{- include "vestibule.volumes" .root | nindent 2 }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Of the secrets as they are in the cluster; without a cluster, always the same. */ -}}
{{- define "vestibule.secretsChecksum" -}}
{{- $names := list .Values.existingSecret }}
{{- range .Values.secretFiles }}{{ $names = append $names .secret }}{{ end }}
{{- $data := list }}
{{- range $names | uniq }}{{ $data = append $data (lookup "v1" "Secret" $.Release.Namespace .).data }}{{ end }}
{{- $data | toJson | sha256sum }}
{{- end }}

{{- /* A pod with the owner's rights that runs one admin command. root: the chart; name, account, command. */ -}}
{{- define "vestibule.job" -}}
{{- $values := .root.Values }}
template:
  metadata:
    {{- $component := dict "app.kubernetes.io/name" "vestibule" "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/component" "migration" }}
    labels: {{- merge $component ($values.migration.podLabels | default dict) $values.podLabels | toYaml | nindent 6 }}
    {{- with merge dict ($values.migration.podAnnotations | default dict) $values.podAnnotations }}
    annotations: {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    {{- include "vestibule.pod" (dict "root" .root "account" .account) | nindent 4 }}
    restartPolicy: Never
    containers:
      - name: {{ .name }}
        image: {{ include "vestibule.image" .root | quote }}
        imagePullPolicy: {{ $values.image.pullPolicy }}
        args: {{- prepend .command "server/admin.ts" | toYaml | nindent 10 }}
        {{- include "vestibule.env" (dict "root" .root "secret" $values.migrationSecret) | nindent 8 }}
        resources: {{- $values.migration.resources | default $values.resources | toYaml | nindent 10 }}
        securityContext: {{- include "vestibule.containerSecurity" .root | nindent 10 }}
        volumeMounts: {{- include "vestibule.volumeMounts" .root | nindent 10 }}
{{- end }}
