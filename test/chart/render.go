// Renders the templates of a chart as Helm 3 does, with Go's templates and Sprig: on standard input
// {"templates": {name: text}, "context": {"Values": …, "Chart": …, "Release": …}, "cluster": {"Secret/name": …}}, on standard
// output {name: text}.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

// Helm reads values as JSON does, so every number is a float64, and writes whole ones without a point.
func plain(value interface{}) interface{} {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case map[string]interface{}:
		copied := map[string]interface{}{}
		for key, one := range v {
			copied[key] = plain(one)
		}
		return copied
	case []interface{}:
		copied := make([]interface{}, len(v))
		for index, one := range v {
			copied[index] = plain(one)
		}
		return copied
	case []string:
		copied := make([]interface{}, len(v))
		for index, one := range v {
			copied[index] = one
		}
		return copied
	}
	return value
}

func toYaml(value interface{}) string {
	var text strings.Builder
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if encoder.Encode(plain(value)) != nil {
		return ""
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func render() error {
	var asked struct {
		Templates map[string]string
		Context   map[string]interface{}
		Cluster   map[string]map[string]interface{}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["toYaml"] = toYaml
	functions["fail"] = func(text string) (string, error) { return "", errors.New(text) }
	functions["required"] = func(text string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(text)
		}
		return value, nil
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["lookup"] = func(_, kind, _, name string) map[string]interface{} {
		if found, ok := asked.Cluster[kind+"/"+name]; ok {
			return found
		}
		return map[string]interface{}{}
	}
	all.Funcs(functions)
	for name, text := range asked.Templates {
		if _, err := all.New(name).Parse(text); err != nil {
			return err
		}
	}
	rendered := map[string]string{}
	for name := range asked.Templates {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, name, asked.Context); err != nil {
			return err
		}
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}

func main() {
	if err := render(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
