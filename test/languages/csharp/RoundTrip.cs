using System;
using System.IO;
using System.Text;
using Newtonsoft.Json;

/// <summary>Reads lines `[model] [payload]`. Writes each payload as its model writes it, or `rejected`.</summary>
static class RoundTrip
{
    static void Main()
    {
        var settings = new JsonSerializerSettings { DateParseHandling = DateParseHandling.None };
        var lines = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        for (var line = lines.ReadLine(); line != null; line = lines.ReadLine())
        {
            var space = line.IndexOf(' ');
            var model = Type.GetType("Example.Events.Model." + line.Substring(0, space), true);
            try
            {
                var payload = JsonConvert.DeserializeObject(line.Substring(space + 1), model, settings);
                output.WriteLine(JsonConvert.SerializeObject(payload, settings));
            }
            catch (JsonException)
            {
                output.WriteLine("rejected");
            }
        }
        output.Flush();
    }
}
